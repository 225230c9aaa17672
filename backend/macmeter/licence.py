"""What uploads are given under, and the corpus is passed on under."""

LICENCE = {
    "name": "CC0-1.0",
    "text": "Public results may be used, copied and published by anybody for any purpose "
    "(CC0 1.0). They carry no name, host name, serial number or hardware UUID.",
}
