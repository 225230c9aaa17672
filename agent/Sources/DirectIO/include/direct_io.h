#ifndef DIRECT_IO_H
#define DIRECT_IO_H

/// The open(2) flag that bypasses the page cache; 0 if the platform has none (macOS, which has the
/// F_NOCACHE command of fcntl(2) instead).
int direct_io_flag(void);

#endif
