package app

import (
	"sync"

	"sanad/internal/domain/model"
)

// keeper stores what was answered: what comes while a transaction runs is stored together by the next one.
type keeper struct {
	in    chan kept
	ended sync.WaitGroup
}

type kept struct {
	answered model.Answered
	stored   chan error
}

// mostKept is how many answers one transaction stores.
const mostKept = 256

func newKeeper(save func([]model.Answered) error) *keeper {
	k := &keeper{in: make(chan kept)}
	k.ended.Go(func() {
		for first := range k.in {
			batch := []kept{first}
			for more := true; more && len(batch) < mostKept; {
				select {
				case x, open := <-k.in:
					if more = open; open {
						batch = append(batch, x)
					}
				default:
					more = false
				}
			}
			list := make([]model.Answered, len(batch))
			for i := range batch {
				list[i] = batch[i].answered
			}
			err := save(list)
			for _, x := range batch {
				x.stored <- err
			}
		}
	})
	return k
}

// add returns when the answer is stored, or why it is not.
func (k *keeper) add(a model.Answered) error {
	x := kept{a, make(chan error, 1)}
	k.in <- x
	return <-x.stored
}

func (k *keeper) close() {
	close(k.in)
	k.ended.Wait()
}
