package reader

import "math"

// product writes columns from one to another of the product of the first rows of in with a matrix, plus its bias. Out
// has whole tiles of rows, each as long as the matrix has rows. A panel of the matrix stays in the cache while all rows
// pass.
func (e *encoder) product(out []float32, rows int, m *matrix, from, to int) {
	for column := from; column < to; column += panelRows {
		scales, bias := (*[panelRows]float32)(m.scales[column:]), (*[panelRows]float32)(m.bias[column:])
		for first := 0; first < rows; first += blockRows {
			tiles := e.tilesOf(rows - first)
			e.multiply(tiles, &e.in, first, m.panel(column/panelRows), &e.spare)
			for i := range tiles {
				row := first + i*tileRows
				e.rescale(out[row*m.rows+column:], m.rows, &tiles[i], (*[tileRows]float32)(e.in.scales[row:]), scales, bias)
			}
		}
	}
}

// tilesOf returns the tiles for a number of rows, but for no more than a block of them.
func (e *encoder) tilesOf(rows int) []tile {
	return e.tiles[:wholeTiles(min(rows, blockRows))/tileRows]
}

// attendHead sets the columns of a head in the first rows of y: of each token, the mean of the values of all tokens,
// weighted by the softmax of the products of its query with their keys.
func (e *encoder) attendHead(head, tokens, rows int) {
	width := e.Width / e.Heads
	keys := wholePanels(tokens)
	e.queries.resize(&e.kernel, rows, width, false)
	scale := float32(1 / math.Sqrt(float64(width)))
	for t := range rows {
		e.quantise(&e.queries, t, e.part(0, t, head))
		e.queries.scales[t] = float32(e.queries.scales[t] * scale)
	}
	for t := range tokens {
		e.keyScales[t] = e.key(e.keys[t/panelRows*panelRows*width+t%panelRows*quad:], e.part(1, t, head))
	}
	for column := 0; column < width; column += panelRows {
		// values have a scale a column, as the weights of a matrix do
		e.columns(e.values[column*keys:(column+panelRows)*keys], e.heads[2*e.Width+head*width+column:], 3*e.Width, tokens,
			(*[panelRows]float32)(e.valueScales[column:]), &e.valueInverses)
	}
	for first := 0; first < rows; first += blockRows {
		tiles := e.tilesOf(rows - first)
		for key := 0; key < keys; key += panelRows {
			e.multiply(tiles, &e.queries, first, e.keys[key*width:(key+panelRows)*width], &e.spare)
			for i := range tiles {
				e.rescale(e.scores[i*tileRows*keys+key:], keys, &tiles[i],
					(*[tileRows]float32)(e.queries.scales[first+i*tileRows:]),
					(*[panelRows]float32)(e.keyScales[key:]), (*[panelRows]float32)(e.keyBias[key:]))
			}
		}
		count := min(blockRows, rows-first)
		e.given.resize(&e.kernel, count, keys, true)
		for r := range count {
			e.softmax(&e.given, r, e.scores[r*keys:(r+1)*keys])
		}
		for column := 0; column < width; column += panelRows {
			e.multiply(tiles, &e.given, 0, e.values[column*keys:(column+panelRows)*keys], &e.spare)
			for i := range tiles {
				e.rescale(e.y[(first+i*tileRows)*e.Width+head*width+column:], e.Width, &tiles[i],
					(*[tileRows]float32)(e.given.scales[i*tileRows:]), (*[panelRows]float32)(e.valueScales[column:]),
					(*[panelRows]float32)(e.zeros))
			}
		}
	}
}

// part returns the query (0) or key (1) of a token for a head.
func (e *encoder) part(which, token, head int) []float32 {
	width := e.Width / e.Heads
	from := token*3*e.Width + which*e.Width + head*width
	return e.heads[from : from+width]
}
