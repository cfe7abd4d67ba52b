"""Vectors of users from links alone: LINE, DeepWalk, IONE's contexts and visits of random walks."""
