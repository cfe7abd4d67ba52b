"""A finished run that answers over HTTP: who is this account?"""
