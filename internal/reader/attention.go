package reader

import (
	"encoding/binary"
	"math"
)

// product writes the product of the first rows of in with a matrix, plus its bias. Out has whole tiles of rows, each as
// long as the matrix has rows. A panel of the matrix stays in the cache while all rows pass.
func (e *encoder) product(out []float32, in *quantised, rows int, m *matrix) {
	for panel := range m.rows / panelRows {
		column := panel * panelRows
		weights := m.panel(panel)
		scales, bias := (*[panelRows]float32)(m.scales[column:]), (*[panelRows]float32)(m.bias[column:])
		for row := 0; row < rows; row += tileRows {
			e.multiply(&e.tile, in.rows[row*in.width:], in.width, (*[tileRows]int32)(in.sums[row:]), weights)
			e.rescale(out[row*m.rows+column:], m.rows, &e.tile, (*[tileRows]float32)(in.scales[row:]), scales, bias)
		}
	}
}

// attendHead sets the columns of a head in the first rows of y: of each token, the mean of the values of all tokens, weighted
// by the softmax of the products of its query with their keys. Values have a scale a column, as the weights of a matrix do.
func (e *encoder) attendHead(head, tokens, rows int) {
	width := e.Width / e.Heads
	keys := wholePanels(tokens)
	e.queries.resize(rows, width)
	e.high.resize(tileRows, keys)
	e.low.resize(tileRows, keys)
	scale := float32(1 / math.Sqrt(float64(width)))
	for t := range rows {
		e.queries.set(&e.kernel, t, e.part(0, t, head))
		e.queries.scales[t] = float32(e.queries.scales[t] * scale)
	}
	for t := range tokens {
		e.keyScales[t], _ = e.quantise(e.key, e.part(1, t, head))
		e.setKey(t)
	}
	e.setValues(head, tokens)

	for row := 0; row < rows; row += tileRows {
		queries := e.queries.rows[row*width:]
		for key := 0; key < keys; key += panelRows {
			e.multiply(&e.tile, queries, width, (*[tileRows]int32)(e.queries.sums[row:]), e.keys[key*width:(key+panelRows)*width])
			e.rescale(e.scores[key:], keys, &e.tile, (*[tileRows]float32)(e.queries.scales[row:]),
				(*[panelRows]float32)(e.keyScales[key:]), (*[panelRows]float32)(e.keyBias[key:]))
		}
		for r := range min(tileRows, rows-row) {
			from, to := r*keys, (r+1)*keys
			e.high.sums[r], e.low.sums[r] = e.softmax(e.high.rows[from:to], e.low.rows[from:to], e.scores[from:to])
			e.high.scales[r] = 1 / float32(e.high.sums[r]<<lowBits+e.low.sums[r])
		}
		for column := 0; column < width; column += panelRows {
			values := e.values[column*keys : (column+panelRows)*keys]
			e.multiply(&e.tile, e.high.rows, keys, (*[tileRows]int32)(e.high.sums), values)
			e.multiply(&e.lowTile, e.low.rows, keys, (*[tileRows]int32)(e.low.sums), values)
			for i, low := range e.lowTile {
				e.tile[i] = e.tile[i]<<lowBits + low
			}
			e.rescale(e.y[row*e.Width+head*width+column:], e.Width, &e.tile, (*[tileRows]float32)(e.high.scales),
				(*[panelRows]float32)(e.valueScales[column:]), (*[panelRows]float32)(e.zeros))
		}
	}
}

// part returns the query (0), key (1) or value (2) of a token for a head.
func (e *encoder) part(which, token, head int) []float32 {
	width := e.Width / e.Heads
	from := token*3*e.Width + which*e.Width + head*width
	return e.heads[from : from+width]
}

// setKey writes the quantised key of a token into its panel, four numbers at a time.
func (e *encoder) setKey(token int) {
	width := len(e.key)
	at := token/panelRows*panelRows*width + token%panelRows*quad
	for i := 0; i < width; i += quad {
		four := uint32(byte(e.key[i])) | uint32(byte(e.key[i+1]))<<8 | uint32(byte(e.key[i+2]))<<16 | uint32(byte(e.key[i+3]))<<24
		binary.LittleEndian.PutUint32(e.keys[at+i*panelRows:], four)
	}
}

// setValues quantises the values of a head, each column with its own scale, into panels of 32 columns that run along the
// tokens.
func (e *encoder) setValues(head, tokens int) {
	clear(e.valueScales)
	for t := range tokens {
		for i, v := range e.part(2, t, head) {
			e.valueScales[i] = max(e.valueScales[i], v, -v)
		}
	}
	for i, most := range e.valueScales {
		e.valueScales[i], e.valueInverses[i] = scales(most)
	}
	keys := wholePanels(tokens)
	for t := range tokens {
		line := e.values[t/quad*panelRows*quad+t%quad:]
		for i, v := range e.part(2, t, head) {
			line[i/panelRows*panelRows*keys+i%panelRows*quad] = byte(nearest(float32(v * e.valueInverses[i])))
		}
	}
}
