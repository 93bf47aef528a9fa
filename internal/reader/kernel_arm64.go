package reader

import "golang.org/x/sys/cpu"

//go:noescape
func multiplyDot(out *int32, rows *int8, stride int, sums *int32, panel *byte, quads int)

//go:noescape
func multiplyNEON(out *int32, rows *int8, stride int, sums *int32, panel *byte, quads int)

// withMultiply returns the portable kernel with another product, in assembly that takes multiples of four quads.
func withMultiply(name string, function func(out *int32, rows *int8, stride int, sums *int32, panel *byte, quads int)) kernel {
	k := portable
	k.name = name
	k.multiply = func(out *tile, rows []int8, stride int, sums *[tileRows]int32, panel []byte) {
		quads := len(panel) / (panelRows * quad)
		_ = rows[(tileRows-1)*stride+quads*quad-1]
		function(&out[0], &rows[0], stride, &sums[0], &panel[0], quads)
	}
	return k
}

var (
	neonDot = withMultiply("neon-sdot", multiplyDot)
	neon    = withMultiply("neon", multiplyNEON)
)

// kernels returns what the machine can run, the fastest first.
func kernels() []kernel {
	if cpu.ARM64.HasASIMDDP {
		return []kernel{neonDot, neon, portable}
	}
	return []kernel{neon, portable}
}

// lacking returns the names of kernels of this architecture that the machine cannot run.
func lacking() []string {
	if cpu.ARM64.HasASIMDDP {
		return nil
	}
	return []string{neonDot.name}
}
