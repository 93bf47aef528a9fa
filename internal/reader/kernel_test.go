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

// operands are random rows of two tiles, and a random panel of a number of columns; with extremes only the largest
// numbers.
func operands(random *generator, columns int, extremes, twoPlanes bool) (rows []int32, panel []byte) {
	number := func(most uint32) int32 {
		if extremes {
			return int32(random.next()%2*2*most) - int32(most)
		}
		return int32(random.next()%(2*most+1)) - int32(most)
	}
	rows, panel = make([]int32, 2*tileRows*columns), make([]byte, panelRows*columns)
	for i := range rows {
		rows[i] = number(mostQuantised)
		if twoPlanes {
			rows[i] = max(number(mostWeight), 0)
		}
	}
	for i := range panel {
		panel[i] = byte(int8(number(mostQuantised)))
	}
	return rows, panel
}

// quantisedOf has given numbers, as a kernel wants them.
func quantisedOf(k *kernel, numbers []int32, columns int, twoPlanes bool) *quantised {
	q := &quantised{}
	q.resize(k, len(numbers)/columns, columns, twoPlanes)
	for i, number := range numbers {
		switch row := i / columns; {
		case k.wide:
			q.wide[i] = int16(number)
		case twoPlanes:
			q.rows[i], q.low[i] = int8(number>>lowBits), int8(number&(1<<lowBits-1))
			q.sums[row] += int32(q.rows[i])
			q.lowSums[row] += int32(q.low[i])
		default:
			q.rows[i] = int8(number)
			q.sums[row] += number
		}
	}
	return q
}

// numbersOf returns the numbers that a kernel wrote to a row.
func numbersOf(k *kernel, q *quantised, row int) (numbers []int32) {
	if k.wide {
		for _, number := range q.wideRow(row) {
			numbers = append(numbers, int32(number))
		}
		return numbers
	}
	high, low := q.row(row)
	for i, number := range high {
		numbers = append(numbers, int32(number))
		if low != nil {
			numbers[i] = numbers[i]<<lowBits + int32(low[i])
		}
	}
	return numbers
}

func TestProductsAreExact(t *testing.T) {
	random := generator(1)
	for _, columns := range []int{32, 64, 96, 384, 1024, 1536, 4096} {
		for _, extremes := range []bool{false, true} {
			for _, twoPlanes := range []bool{false, true}[:1+1024/max(columns, 1024)] {
				rows, panel := operands(&random, columns, extremes, twoPlanes)
				want := make([]tile, 2)
				for i := range want {
					for j := range want[i] {
						row, column := i*tileRows+j/panelRows, j%panelRows
						for k := range columns {
							weight := int8(panel[k/quad*panelRows*quad+column*quad+k%quad])
							want[i][j] += rows[row*columns+k] * int32(weight)
						}
					}
				}
				for _, k := range append(otherKernels(t), portable) {
					got, q, s := make([]tile, 2), quantisedOf(&k, rows, columns, twoPlanes), &spare{}
					got[0][7] = 5 // whatever was there before
					k.multiply(got, q, 0, panel, s)
					assert.Equal(t, want, got, "%s, %d columns", k.name, columns)
					k.multiply(got[:1], q, tileRows, panel, s)
					assert.Equal(t, want[1], got[0], "%s, %d columns, second tile", k.name, columns)
				}
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
				row := func(k *kernel, set func(q *quantised, row int, x []float32), x []float32, twoPlanes bool) string {
					q := &quantised{}
					q.resize(k, 1, count, twoPlanes)
					set(q, 3, x)
					return fmt.Sprint(q.scales[3], numbersOf(k, q, 3))
				}
				same("quantise", row(&portable, portable.quantise, x, false), row(&k, k.quantise, x, false))
				same("quantise in two planes", row(&portable, portable.quantise, x, true), row(&k, k.quantise, x, true))
				same("softmax", row(&portable, portable.softmax, y, true), row(&k, k.softmax, y, true))
				panelOf := func(k *kernel) string {
					var scale, inverse [panelRows]float32
					panel := make([]byte, count+quad*panelRows)
					filled := append(slices.Clone(x), make([]float32, quad*panelRows)...) // rows that do not matter, zeros here
					k.columns(panel, filled, panelRows, count/panelRows, &scale, &inverse)
					return fmt.Sprint(scale, panel)
				}
				same("columns", panelOf(&portable), panelOf(&k))
				keyOf := func(k *kernel) string {
					panel := make([]byte, panelRows*count)
					return fmt.Sprint(k.key(panel[7*quad:], x), panel)
				}
				same("key", keyOf(&portable), keyOf(&k))
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
	best, failed := choose(kernels())
	assert.Equal(t, kernels()[0].name, best.name)
	assert.Empty(t, failed)
}

// UseKernelThatDiffers makes a reader believe that the fastest kernel of the machine is one that is a little off.
func (r *Reader) UseKernelThatDiffers(name string) {
	off := portable
	off.name = name
	off.gelu = func(x []float32) {
		portable.gelu(x)
		x[len(x)-1] = math.Nextafter32(x[len(x)-1], 1e30)
	}
	r.kernels = func() []kernel { return []kernel{off, portable} }
}

// TestKernelThatDiffersIsNotUsed spoils each function of a kernel in the least way.
func TestKernelThatDiffersIsNotUsed(t *testing.T) {
	next := func(x *float32) { *x = math.Nextafter32(*x, 1e30) }
	for name, spoil := range map[string]func(k *kernel){
		"multiply": func(k *kernel) {
			k.multiply = func(out []tile, left *quantised, row int, panel []byte, s *spare) {
				portable.multiply(out, left, row, panel, s)
				out[len(out)-1][31]++
			}
		},
		"low plane": func(k *kernel) {
			k.multiply = func(out []tile, left *quantised, row int, panel []byte, s *spare) {
				portable.multiply(out, left, row, panel, s)
				if left.twoPlanes {
					out[0][0] -= out[0][0] % (1 << lowBits)
				}
			}
		},
		"quantise": func(k *kernel) {
			k.quantise = func(q *quantised, row int, x []float32) {
				portable.quantise(q, row, x)
				q.rows[row*q.width+5]++
			}
		},
		"scale": func(k *kernel) {
			k.quantise = func(q *quantised, row int, x []float32) {
				portable.quantise(q, row, x)
				next(&q.scales[row])
			}
		},
		"softmax": func(k *kernel) {
			k.softmax = func(q *quantised, row int, x []float32) {
				portable.softmax(q, row, x)
				q.low[row*q.width]++
			}
		},
		"key": func(k *kernel) {
			k.key = func(panel []byte, x []float32) float32 {
				scale := portable.key(panel, x)
				panel[quad*panelRows]++
				return scale
			}
		},
		"columns": func(k *kernel) {
			k.columns = func(panel []byte, x []float32, stride, rows int, scale, inverse *[panelRows]float32) {
				portable.columns(panel, x, stride, rows, scale, inverse)
				panel[panelRows*quad+1]++
			}
		},
		"rescale": func(k *kernel) {
			k.rescale = func(out []float32, stride int, sums *tile, rows *[tileRows]float32, columns, bias *[panelRows]float32) {
				portable.rescale(out, stride, sums, rows, columns, bias)
				next(&out[stride+31])
			}
		},
		"gelu": func(k *kernel) { k.gelu = func(x []float32) { portable.gelu(x); next(&x[len(x)-1]) } },
		"normalise": func(k *kernel) {
			k.normalise = func(x, y, g, s []float32) { portable.normalise(x, y, g, s); next(&x[0]) }
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
	allowed := []string{"Sqrt", "Abs", "Float32bits", "Float32frombits", "Float64bits", "Float64frombits"}
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
	rows, panel := operands(&random, 384, false, false)
	x := numbers(&random, 1536, 4)
	y := slices.Clone(x)
	out := make([]tile, 2)
	var s spare
	for _, k := range kernels() {
		left, weights := quantisedOf(&k, rows, 384, false), &quantised{}
		weights.resize(&k, 1, len(x), true)
		b.Run("multiply/"+k.name, func(b *testing.B) {
			for b.Loop() {
				k.multiply(out, left, 0, panel, &s)
			}
			b.ReportMetric(float64(2*tileRows*panelRows*384*b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
		})
		for name, run := range map[string]func(){
			"quantise":  func() { k.quantise(weights, 0, x) },
			"gelu":      func() { copy(y, x); k.gelu(y) },
			"normalise": func() { k.normalise(y, x, x, x) },
			"softmax":   func() { k.softmax(weights, 0, x) },
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
