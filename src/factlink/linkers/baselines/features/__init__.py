"""What several linkers share: candidate pairs, and features of a left and a right user."""
