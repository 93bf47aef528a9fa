package webtest

import (
	"context"

	"sanad/internal/domain/access"
)

// FakeAuthorizer is an Authorizer that answers as it is told and remembers what it was asked.
type FakeAuthorizer struct {
	Ok    bool
	Err   error
	Calls []access.Object
}

func (a *FakeAuthorizer) Allowed(_ context.Context, _ access.Actor, _ access.Action, on access.Object) (bool, error) {
	a.Calls = append(a.Calls, on)
	return a.Ok, a.Err
}

func (a *FakeAuthorizer) Ready(context.Context) error { return a.Err }
