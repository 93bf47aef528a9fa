package sqldb

// Local is a value that each transaction has of its own, for what a room keeps until the end of a transaction. Declare
// one as a variable of a package.
type Local[T any] struct{ _ byte } // not empty, so that no two have the same address

// Of returns the transaction's value, which is zero at first.
func (local *Local[T]) Of(t *Tx) *T {
	for i := range t.locals {
		if t.locals[i].of == local {
			return t.locals[i].value.(*T) //nolint:forcetypeassert // set below
		}
	}
	v := new(T)
	t.locals = append(t.locals, localValue{of: local, value: v})
	return v
}

type localValue struct{ of, value any }
