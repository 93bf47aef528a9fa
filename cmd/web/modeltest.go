package main

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"sync"
	"time"

	"sanad/internal/domain/judge/pointer"
	"sanad/internal/domain/model"
	"sanad/internal/handlers"
	"sanad/internal/llm"
)

// modelTest asks endpoints the question of a test; allow are networks that may be reached although they are not public.
func modelTest(allow []netip.Prefix, now func() time.Time) handlers.ModelTest {
	return handlers.ModelTest{
		Allow: allow,
		Try: func(ctx context.Context, e model.Endpoint, key string) model.Tried {
			try := llm.Try
			if !e.Kind.Judges() {
				try = llm.TryEmbeddings
			}
			return try(ctx, llm.Config{
				Kind: llm.Kind(e.Kind), Endpoint: e.URL, Model: e.Model, Key: key, Allow: allow, Timeout: e.Timeout,
				Trust: pointer.Trust{Supported: e.Trust.Supported, Contradicted: e.Trust.Contradicted}, Now: now,
				Jitter: rand.Float64,
			})
		},
		Question: sync.OnceValue(func() string {
			text, err := llm.Example()
			if err != nil {
				return ""
			}
			return text
		}),
	}
}
