package reader

import "golang.org/x/sys/cpu"

//go:noescape
func multiplyDot(out *int32, rows *int8, stride int, panel *byte, quads int)

//go:noescape
func multiplyNEON(out *int32, rows *int8, stride int, panel *byte, quads int)

// withMultiply returns the portable kernel with another product, in assembly that takes multiples of four quads.
func withMultiply(name string, function func(out *int32, rows *int8, stride int, panel *byte, quads int)) kernel {
	k := portable
	k.name = name
	one := func(out *tile, rows []int8, stride int, panel []byte) {
		quads := len(panel) / (panelRows * quad)
		_ = rows[(tileRows-1)*stride+quads*quad-1]
		function(&out[0], &rows[0], stride, &panel[0], quads)
	}
	k.multiply = func(out []tile, left *quantised, row int, panel []byte, _ *spare) {
		for i := range out {
			from := (row + i*tileRows) * left.width
			one(&out[i], left.rows[from:], left.width, panel)
			if left.twoPlanes {
				var low tile
				one(&low, left.low[from:], left.width, panel)
				for j := range low {
					out[i][j] = out[i][j]<<lowBits + low[j]
				}
			}
		}
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
