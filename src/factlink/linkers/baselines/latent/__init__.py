"""The latent user space of `ulink`: vectors of profiles, maps of them, and two ways to learn the maps."""
