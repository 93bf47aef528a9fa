package judge

import (
	"container/list"
	"crypto/sha256"
	"encoding/binary"
	"sync"

	"sanad/internal/domain/ledger"
)

// Batch judges many rows, and analyses evidence that several of them share once. It keeps what was used last, up to a
// budget, so that its memory doesn't grow with the rows. It may be used from several goroutines at once; what it
// answers depends on the row and the judge alone.
type Batch struct {
	judge  Judge
	budget int

	mu    sync.Mutex
	size  int        // bytes of evidence kept
	order *list.List // of *analysed, the one used last in front
	kept  map[[sha256.Size]byte]*list.Element
}

// analysed is the evidence of a row made ready for its claims.
type analysed struct {
	key     [sha256.Size]byte
	size    int
	once    sync.Once
	session *ledger.Session
	index   *Index
}

// DefaultBudget is a Batch's budget in bytes of evidence text; the analyses take some hundred times as much.
const DefaultBudget = 512 << 10

// NewBatch makes a Batch that keeps analyses of up to budget bytes of evidence.
func NewBatch(j Judge, budget int) *Batch {
	return &Batch{judge: j, budget: budget, order: list.New(), kept: map[[sha256.Size]byte]*list.Element{}}
}

// JudgeRow judges one row by itself, as the function JudgeRow.
func (b *Batch) JudgeRow(row Row) Result {
	a := b.analysis(row)
	a.once.Do(func() {
		a.session = RowSession(row)
		a.index = NewIndex(a.session)
	})
	return judgeRow(row, b.judge, a.session, a.index)
}

// analysis returns the entry for a row's evidence, made new when it isn't kept; whoever comes first fills it.
func (b *Batch) analysis(row Row) *analysed {
	key, size := evidenceKey(row)
	b.mu.Lock()
	defer b.mu.Unlock()
	if e, ok := b.kept[key]; ok {
		b.order.MoveToFront(e)
		return e.Value.(*analysed)
	}
	a := &analysed{key: key, size: size}
	b.kept[key] = b.order.PushFront(a)
	b.size += size
	for b.size > b.budget && b.order.Len() > 1 {
		old := b.order.Remove(b.order.Back()).(*analysed)
		delete(b.kept, old.key)
		b.size -= old.size
	}
	return a
}

// evidenceKey is a digest of all that an analysis depends on, and the bytes of its texts.
func evidenceKey(row Row) (key [sha256.Size]byte, size int) {
	h := sha256.New()
	var room [512]byte // so that the texts need not be copied as a whole
	part := func(s string) {
		h.Write(binary.BigEndian.AppendUint64(room[:0], uint64(len(s))))
		size += len(s)
		for len(s) > 0 {
			n := copy(room[:], s)
			h.Write(room[:n])
			s = s[n:]
		}
	}
	part(row.Lang)
	for _, e := range row.Evidence {
		part(e.Doc)
		part(e.Text)
	}
	h.Sum(key[:0])
	return key, size
}
