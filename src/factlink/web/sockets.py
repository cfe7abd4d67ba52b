"""A socket that listens, or one sentence why it cannot."""

import socket

from factlink.errors import SettingError

LOOPBACK = "127.0.0.1"


def listening(port: int, host: str = LOOPBACK) -> socket.socket:
    """Listens on a port of one address; port 0 chooses a free one."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError) as error:
        listener.close()
        raise SettingError(f"port {port} cannot be used ({error}); name another with --port") from None
    return listener
