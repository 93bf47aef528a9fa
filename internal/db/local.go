package db

// local is a value that each transaction has of its own, for what a room keeps until the end of a transaction. Declare
// one as a variable of a package.
type local[T any] struct{ _ byte } // not empty, so that no two have the same address

// of returns the transaction's value, which is zero at first.
func (l *local[T]) of(t *tx) *T {
	for i := range t.locals {
		if t.locals[i].of == l {
			return t.locals[i].value.(*T) //nolint:forcetypeassert // set below
		}
	}
	v := new(T)
	t.locals = append(t.locals, localValue{of: l, value: v})
	return v
}

type localValue struct{ of, value any }
