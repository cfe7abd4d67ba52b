"""Names learned across scripts from confident pairs."""
