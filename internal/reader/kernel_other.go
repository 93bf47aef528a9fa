//go:build !amd64 && !arm64

package reader

// kernels returns what the machine can run, the fastest first.
func kernels() []kernel { return []kernel{portable} }

// lacking returns the names of kernels of this architecture that the machine cannot run.
func lacking() []string { return nil }
