Ask the store to write before saying ready, and leave before the listener does
