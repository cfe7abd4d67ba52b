"""Any source → `Network`: a folder, a file, an address, a frame, a graph.

networks.py    read_network, read_networks: what users of the library call
registry.py    the one list of ways to read a source, in the order in which they are asked
folders.py     folders of tables      files.py   single tables      objects.py   frames and graphs in memory
roles.py       which columns are the ids, the followers and the followees
ends.py        links given by a username, through any column that tells users apart
"""
