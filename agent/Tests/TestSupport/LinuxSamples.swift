/// Small files of a Linux machine for tests.
package enum LinuxSamples {
  package static let cpuinfo = """
    processor\t: 0
    model name\t: Example CPU 9000 @ 3.00GHz
    physical id\t: 0
    core id\t\t: 0
    flags\t\t: fpu sse hypervisor

    processor\t: 1
    model name\t: Example CPU 9000 @ 3.00GHz
    physical id\t: 0
    core id\t\t: 0
    flags\t\t: fpu sse hypervisor

    """
}
