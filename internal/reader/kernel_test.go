package reader

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// otherKernels returns the kernels of the machine that are not the portable one, and says which it lacks.
func otherKernels(t *testing.T) []kernel {
	for _, name := range lacking() {
		fmt.Printf("NOT COMPARED: kernel %s, which this machine cannot run (%s)\n", name, t.Name())
	}
	return slices.DeleteFunc(kernels(), func(k kernel) bool { return k.name == portable.name })
}

// operands are random rows and a random panel of a number of columns; with extremes only the largest numbers.
func operands(random *generator, columns int, extremes bool) (rows []int8, sums [tileRows]int32, panel []byte) {
	number := func() int8 {
		if extremes {
			return int8(random.next()%2)*2*mostQuantised - mostQuantised
		}
		return int8(random.next()%255) - mostQuantised
	}
	rows, panel = make([]int8, tileRows*columns), make([]byte, panelRows*columns)
	for i := range rows {
		rows[i] = number()
		sums[i/columns] += int32(rows[i])
	}
	for i := range panel {
		panel[i] = byte(number())
	}
	return rows, sums, panel
}

func TestProductsAreExact(t *testing.T) {
	random := generator(1)
	for _, columns := range []int{32, 64, 96, 384, 1536, 4096} {
		for _, extremes := range []bool{false, true} {
			rows, sums, panel := operands(&random, columns, extremes)
			var want tile
			for i := range want {
				row, column := i/panelRows, i%panelRows
				for k := range columns {
					weight := int8(panel[k/quad*panelRows*quad+column*quad+k%quad])
					want[i] += int32(rows[row*columns+k]) * int32(weight)
				}
			}
			for _, k := range append(otherKernels(t), portable) {
				got := tile{7: 5} // whatever was there before
				k.multiply(&got, rows, columns, &sums, panel)
				assert.Equal(t, want, got, "%s, %d columns", k.name, columns)
			}
		}
	}
}

// numbers are random ones of a size, with the edges of rounding among them.
func numbers(random *generator, count int, size float32) []float32 {
	x := make([]float32, count)
	for i := range x {
		x[i] = float32(int32(random.next())) / (1 << 31) * size
		switch random.next() % 16 {
		case 0:
			x[i] = 0
		case 1:
			x[i] = float32(int32(x[i])) + 0.5
		case 2:
			x[i] = size
		}
	}
	return x
}

// TestKernelsComputeTheSameFloats compares, to the bit, what is computed in floating point.
func TestKernelsComputeTheSameFloats(t *testing.T) {
	for _, k := range otherKernels(t) {
		random := generator(2)
		for _, count := range []int{32, 64, 96, 384, 1536} {
			for _, size := range []float32{1e-38, 1e-31, 1e-3, 1, 4, 30, 127, 1e4, 1e20} {
				x, y := numbers(&random, count, size), numbers(&random, count, min(size, 1e4))
				gain, shift := numbers(&random, count, 2), numbers(&random, count, 2)
				same := func(what string, want, got any) {
					require.Equal(t, want, got, "%s: %s of %d numbers up to %g", k.name, what, count, size)
				}
				q, q2 := make([]int8, count), make([]int8, count)
				scale, sum := portable.quantise(q, x)
				scale2, sum2 := k.quantise(q2, x)
				same("quantise", fmt.Sprint(scale, sum, q), fmt.Sprint(scale2, sum2, q2))
				low, low2 := make([]int8, count), make([]int8, count)
				high, sum := portable.softmax(q, low, y)
				high2, sum2 := k.softmax(q2, low2, y)
				same("softmax", fmt.Sprint(high, sum, q, low), fmt.Sprint(high2, sum2, q2, low2))
				z, z2 := slices.Clone(x), slices.Clone(x)
				portable.gelu(z)
				k.gelu(z2)
				same("gelu", bits(z), bits(z2))
				z, z2 = slices.Clone(y), slices.Clone(y)
				portable.normalise(z, gain, shift, gain)
				k.normalise(z2, gain, shift, gain)
				same("normalise", bits(z), bits(z2))
				var sums tile
				for i := range sums {
					sums[i] = int32(random.next()) >> (random.next() % 24)
				}
				out, out2 := make([]float32, tileRows*40), make([]float32, tileRows*40)
				rows, columns, bias := (*[tileRows]float32)(y), (*[panelRows]float32)(gain), (*[panelRows]float32)(shift)
				portable.rescale(out, 40, &sums, rows, columns, bias)
				k.rescale(out2, 40, &sums, rows, columns, bias)
				same("rescale", bits(out), bits(out2))
			}
		}
	}
}

func bits(x []float32) []uint32 {
	all := make([]uint32, len(x))
	for i, v := range x {
		all[i] = math.Float32bits(v)
	}
	return all
}

func TestChosenKernelIsTheFirstOfTheMachine(t *testing.T) {
	best, failed := chosen()
	assert.Equal(t, kernels()[0].name, best.name)
	assert.Empty(t, failed)
}

func TestKernelThatDiffersIsNotUsed(t *testing.T) {
	for name, spoil := range map[string]func(k *kernel){
		"multiply": func(k *kernel) {
			k.multiply = func(out *tile, rows []int8, stride int, sums *[tileRows]int32, panel []byte) {
				portable.multiply(out, rows, stride, sums, panel)
				out[31]++
			}
		},
		"gelu": func(k *kernel) {
			k.gelu = func(x []float32) {
				portable.gelu(x)
				x[len(x)-1] = math.Nextafter32(x[len(x)-1], 9)
			}
		},
		"softmax": func(k *kernel) {
			k.softmax = func(high, low []int8, x []float32) (int32, int32) {
				sumHigh, sumLow := portable.softmax(high, low, x)
				return sumHigh, sumLow + 1
			}
		},
	} {
		k := portable
		spoil(&k)
		assert.False(t, sameAsPortable(k), name)
	}
	assert.True(t, sameAsPortable(portable))
}

func TestFunctionsAreAccurate(t *testing.T) {
	for x := -40.0; x <= 40; x += 1.0 / 256 {
		f := float32(x)
		if x <= 0 {
			assert.InEpsilon(t, math.Exp(x), float64(exp(f)), 3e-7, "exp %g", x)
		}
		assert.InDelta(t, math.Tanh(x), float64(tanh(f)), 3e-7, "tanh %g", x)
		y := []float32{f}
		portable.gelu(y)
		assert.InDelta(t, x/2*(1+math.Erf(x/math.Sqrt2)), float64(y[0]), 2e-6+3e-7*math.Abs(x), "gelu %g", x)
	}
	assert.Equal(t, float32(1), exp(0))
	assert.Equal(t, int8(2), nearest(2.5))
	assert.Equal(t, int8(-4), nearest(-3.5))
}

// TestNothingDiffersByMachine allows only those functions of package math that are exact everywhere.
func TestNothingDiffersByMachine(t *testing.T) {
	allowed := []string{"Sqrt", "Abs", "Float32bits", "Float32frombits"}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		file, err := parser.ParseFile(gotoken.NewFileSet(), path, source, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if selector, found := n.(*ast.SelectorExpr); found {
				if from, found := selector.X.(*ast.Ident); found && from.Name == "math" {
					assert.Contains(t, allowed, selector.Sel.Name, path)
				}
			}
			return true
		})
	}
}

func BenchmarkKernel(b *testing.B) {
	random := generator(3)
	rows, sums, panel := operands(&random, 384, false)
	x := numbers(&random, 1536, 4)
	q, low := make([]int8, len(x)), make([]int8, len(x))
	y := slices.Clone(x)
	var out tile
	for _, k := range kernels() {
		b.Run("multiply/"+k.name, func(b *testing.B) {
			for b.Loop() {
				k.multiply(&out, rows, 384, &sums, panel)
			}
			b.ReportMetric(float64(tileRows*panelRows*384*b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
		for name, run := range map[string]func(){
			"quantise":  func() { k.quantise(q, x) },
			"gelu":      func() { copy(y, x); k.gelu(y) },
			"normalise": func() { k.normalise(y, x, x, x) },
			"softmax":   func() { k.softmax(q, low, x) },
		} {
			b.Run(name+"/"+k.name, func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(len(x)*b.N)/b.Elapsed().Seconds()/1e6, "M/s")
			})
		}
	}
}
