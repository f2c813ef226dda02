from revet.cli import main

main()
