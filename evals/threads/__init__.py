"""Threads of people, played over the wire: is what is for it answered, and all else left alone?"""
