package reader

// maskBias is added to the scores of places in a panel where no token stands: their weight becomes 0.
const maskBias = -1e30

// Rows of the layer's inner half that are computed at a time, so that they stay in the processor's cache.
const innerRows = 64

// encoder computes the logits of one pair at a time. It has buffers for the longest pair that it has seen, at most some
// 10 MB; it is not for concurrent use.
type encoder struct {
	*weights
	kernel
	zeros []float32

	x, y    []float32 // tokens by width: of the layers, and of what is added to it
	heads   []float32 // tokens by 3·width: queries, keys and values of all heads
	inner   []float32 // innerRows by inner width
	in      quantised // what is multiplied by a matrix
	queries quantised // of one head
	high    quantised // eight rows of weights of keys, in two planes
	low     quantised
	scores  []float32 // eight rows by keys
	tile    tile
	lowTile tile

	keys, values               []byte // panels, as those of a matrix
	key                        []int8
	keyScales, keyBias         []float32
	valueScales, valueInverses []float32
}

// quantised has rows of int8 numbers. Rows are filled up to whole tiles; what is there does not matter.
type quantised struct {
	width  int
	rows   []int8
	scales []float32
	sums   []int32
}

// resize makes room for rows of a width, whose contents are lost.
func (q *quantised) resize(rows, width int) {
	rows = wholeTiles(rows)
	q.width = width
	grow(&q.rows, rows*width)
	grow(&q.scales, rows)
	grow(&q.sums, rows)
}

// set quantises a row.
func (q *quantised) set(k *kernel, row int, x []float32) {
	q.scales[row], q.sums[row] = k.quantise(q.rows[row*q.width:(row+1)*q.width], x)
}

// grow makes a buffer at least as long as asked, and cuts it to that length.
func grow[T any](buffer *[]T, length int) {
	if cap(*buffer) < length {
		*buffer = make([]T, length)
	}
	*buffer = (*buffer)[:length]
}

func wholeTiles(rows int) int { return (rows + tileRows - 1) &^ (tileRows - 1) }

// resize makes room for a number of tokens.
func (e *encoder) resize(tokens int) {
	rows, keys, head := wholeTiles(tokens), wholePanels(tokens), e.Width/e.Heads
	grow(&e.zeros, max(e.Width, e.Inner, panelRows))
	grow(&e.x, rows*e.Width)
	grow(&e.y, rows*e.Width)
	grow(&e.heads, rows*3*e.Width)
	grow(&e.inner, innerRows*e.Inner)
	grow(&e.scores, tileRows*keys)
	grow(&e.keys, keys*head)
	grow(&e.values, keys*head)
	grow(&e.key, head)
	grow(&e.keyScales, keys)
	grow(&e.keyBias, keys)
	grow(&e.valueScales, head)
	grow(&e.valueInverses, head)
	for i := range keys {
		e.keyScales[i], e.keyBias[i] = 0, 0
		if i >= tokens {
			e.keyBias[i] = maskBias
		}
	}
}

// logits computes the logits of a sequence of tokens, of which those from second on are of the second segment.
func (e *encoder) logits(ids []int32, second int) (logits [Classes]float32) {
	tokens := len(ids)
	e.resize(tokens)
	e.embed(ids, second)
	for i := range e.layers {
		rows := tokens
		if i == len(e.layers)-1 {
			rows = 1 // the head reads the first token alone
		}
		e.attend(&e.layers[i], tokens, rows)
		e.transform(&e.layers[i], rows)
	}
	pooled := e.y[:tileRows*e.pooler.rows]
	e.in.resize(1, e.Width)
	e.in.set(&e.kernel, 0, e.x[:e.Width])
	e.product(pooled, &e.in, 1, &e.pooler)
	for i, v := range pooled[:e.Width] {
		pooled[i] = tanh(v)
	}
	e.in.set(&e.kernel, 0, pooled[:e.Width])
	e.product(e.scores, &e.in, 1, &e.classes)
	copy(logits[:], e.scores)
	return logits
}

// embed sets x to the normalised embeddings of tokens.
func (e *encoder) embed(ids []int32, second int) {
	for t, id := range ids {
		segment := 0
		if t >= second {
			segment = e.Segments - 1
		}
		piece, pieceScale := e.pieces.row(int(id))
		place, placeScale := e.positions.row(t)
		side, sideScale := e.segments.row(segment)
		x := e.x[t*e.Width : (t+1)*e.Width]
		for i := range x {
			x[i] = float32(float32(int8(piece[i]))*pieceScale) + float32(float32(int8(side[i]))*sideScale)
			x[i] += float32(float32(int8(place[i])) * placeScale)
		}
		e.normalise(x, e.zeros[:e.Width], e.embeddingNorm.gain, e.embeddingNorm.shift)
	}
}

// attend adds to the first rows of x what their tokens attend to among all tokens, and normalises them.
func (e *encoder) attend(l *layer, tokens, rows int) {
	e.in.resize(tokens, e.Width)
	for t := range tokens {
		e.in.set(&e.kernel, t, e.x[t*e.Width:(t+1)*e.Width])
	}
	e.product(e.heads, &e.in, tokens, &l.attention)
	for head := range e.Heads {
		e.attendHead(head, tokens, rows)
	}
	e.in.resize(rows, e.Width)
	for t := range rows {
		e.in.set(&e.kernel, t, e.y[t*e.Width:(t+1)*e.Width])
	}
	e.product(e.y, &e.in, rows, &l.afterAttention)
	e.add(rows, l.attentionNorm)
}

// add adds y to the first rows of x, and normalises them.
func (e *encoder) add(rows int, norm normal) {
	for t := range rows {
		from, to := t*e.Width, (t+1)*e.Width
		e.normalise(e.x[from:to], e.y[from:to], norm.gain, norm.shift)
	}
}

// transform adds to the first rows of x what the inner half of a layer makes of them, and normalises them.
func (e *encoder) transform(l *layer, rows int) {
	for first := 0; first < rows; first += innerRows {
		count := min(innerRows, rows-first)
		e.in.resize(count, e.Width)
		for t := range count {
			e.in.set(&e.kernel, t, e.x[(first+t)*e.Width:(first+t+1)*e.Width])
		}
		e.product(e.inner, &e.in, count, &l.inner)
		e.in.resize(count, e.Inner)
		for t := range count {
			inner := e.inner[t*e.Inner : (t+1)*e.Inner]
			e.gelu(inner)
			e.in.set(&e.kernel, t, inner)
		}
		e.product(e.y[first*e.Width:], &e.in, count, &l.outer)
	}
	e.add(rows, l.outerNorm)
}
