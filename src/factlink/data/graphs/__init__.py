"""Graphs → tables: those in memory (networkx, igraph), and files (GraphML, GEXF, GML, Pajek).

objects.py   a graph of networkx or igraph, known by what it can do; neither is imported
files.py     GraphML, GEXF and GML through networkx
pajek.py     Pajek's .net
"""
