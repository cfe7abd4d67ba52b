"""What people read in the terminal: tables and charts."""
