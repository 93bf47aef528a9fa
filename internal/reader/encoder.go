package reader

// maskBias is added to the scores of places in a panel where no token stands: their weight becomes 0.
const maskBias = -1e30

// Rows that are computed at a time, so that what they become stays in the processor's cache: of the layer's inner half,
// and of a product.
const (
	innerRows = 128
	blockRows = 128
)

// encoder computes the logits of one pair at a time. It has buffers for the longest pair that it has seen: with 384
// numbers a token some 2 MB for 125 tokens, 6 MB for 512. It is not for concurrent use.
type encoder struct {
	*weights
	kernel
	zeros []float32

	x, y    []float32 // tokens by width: of the layers, and of what is added to it
	heads   []float32 // tokens by 3·width: queries, keys and values of all heads
	inner   []float32 // innerRows by inner width
	in      quantised // what is multiplied by a matrix
	queries quantised // of one head
	given   quantised // weights that blockRows tokens give to keys
	scores  []float32 // blockRows by keys
	tiles   [blockRows / tileRows]tile
	spare   spare

	keys, values       []byte // panels, as those of a matrix
	keyScales, keyBias []float32
	valueScales        []float32
	valueInverses      [panelRows]float32
}

// resize makes room for a number of tokens.
func (e *encoder) resize(tokens int) {
	rows, keys, head := wholeTiles(tokens), wholePanels(tokens), e.Width/e.Heads
	grow(&e.zeros, max(e.Width, e.Inner, panelRows))
	grow(&e.x, rows*e.Width)
	grow(&e.y, rows*e.Width)
	grow(&e.heads, rows*3*e.Width)
	grow(&e.inner, innerRows*e.Inner)
	grow(&e.scores, min(blockRows, rows)*keys)
	grow(&e.keys, keys*head)
	grow(&e.values, keys*head)
	grow(&e.valueScales, head)
	grow(&e.keyScales, keys)
	grow(&e.keyBias, keys)
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
	e.set(e.x, 1, e.Width)
	e.product(pooled, 1, &e.pooler, 0, e.pooler.rows)
	for i, v := range pooled[:e.Width] {
		pooled[i] = tanh(v)
	}
	e.set(pooled, 1, e.Width)
	e.product(e.heads, 1, &e.classes, 0, e.classes.rows)
	copy(logits[:], e.heads)
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

// set sets in to rows of a width, in two planes: in one, 16 of 1,000 pairs got another class than in float32.
func (e *encoder) set(x []float32, rows, width int) {
	e.in.resize(&e.kernel, rows, width, true)
	for row := range rows {
		e.quantise(&e.in, row, x[row*width:(row+1)*width])
	}
}

// attend adds to the first rows of x what their tokens attend to among all tokens, and normalises them.
func (e *encoder) attend(l *layer, tokens, rows int) {
	e.set(e.x, tokens, e.Width)
	e.product(e.heads, rows, &l.attention, 0, e.Width)
	e.product(e.heads, tokens, &l.attention, e.Width, 3*e.Width)
	for head := range e.Heads {
		e.attendHead(head, tokens, rows)
	}
	e.set(e.y, rows, e.Width)
	e.product(e.y, rows, &l.afterAttention, 0, e.Width)
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
		e.set(e.x[first*e.Width:], count, e.Width)
		e.product(e.inner, count, &l.inner, 0, e.Inner)
		e.gelu(e.inner[:count*e.Inner])
		e.set(e.inner, count, e.Inner)
		e.product(e.y[first*e.Width:], count, &l.outer, 0, e.Width)
	}
	e.add(rows, l.outerNorm)
}
