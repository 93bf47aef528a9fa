package auth

import "context"

// Hold takes a hashing slot until the returned function is called.
func (h *Hasher) Hold(ctx context.Context) (release func(), err error) { return h.leave, h.enter(ctx) }
