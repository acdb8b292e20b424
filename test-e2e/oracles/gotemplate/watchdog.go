package main

import (
	"fmt"
	"os"
	"syscall"
	"time"
)

// processorLimit ends a question without an answer. It limits processor time, because wall time depends on the load of the machine.
const processorLimit = 10 * time.Second

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// watch ends the process if the question that begins now takes too much processor time. The caller of the process sees a question without an answer,
// and asks the next one of a new process. The returned function ends the watch.
func watch() func() {
	began := processorTime()
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(200 * time.Millisecond):
				if processorTime()-began > processorLimit {
					fmt.Fprintf(os.Stderr, "no result in %s of processor time\n", processorLimit)
					os.Exit(3)
				}
			}
		}
	}()
	return func() { close(done) }
}
