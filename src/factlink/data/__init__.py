"""1. Networks in: folders, frames and made-up crowds become `Network`s."""
