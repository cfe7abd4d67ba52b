"""What every page and service that answers over HTTP needs: a port, a token, and limits on what is read."""
