"""What people say about their other accounts: handles and profile addresses in bios and fields."""
