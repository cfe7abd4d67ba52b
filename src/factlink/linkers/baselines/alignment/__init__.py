"""Peers from network and entity alignment: SEU, PARROT, FINAL, REGAL and a fused Gromov-Wasserstein aligner."""
