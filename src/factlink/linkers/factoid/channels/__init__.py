"""What channels are made from: attributes, pictures, neighbours and votes."""
