"""Never comes to the end of its file."""
# kata: 03_flops
# attacks: *
# place: alone
# seconds: 3

while True:
    pass
