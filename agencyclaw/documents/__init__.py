"""Reads documents as text; files are converted in an isolated process."""
