package dbtest

import (
	"time"

	"sanad/internal/domain/model"
)

// AnEndpoint is a model's endpoint of a name.
func AnEndpoint(name string) model.Endpoint {
	return model.Endpoint{
		Name: name, Kind: model.OpenAI, URL: "https://models.example/v1?tenant=swordfish", Model: "small-1",
		Trust: model.Trust{Supported: 0.9, Contradicted: 0.85}, Price: model.Price{In: 250_000, Out: 2_000_000},
		Run: model.Budget{Tokens: 1_000_000, Cost: 5_000_000}, Day: model.Budget{Tokens: 9_000_000, Cost: 20_000_000},
		Parallel: 6, Timeout: 90 * time.Second, Redact: true,
	}
}

// Questioned is what a model answered.
func Questioned(e *model.Endpoint, digest string, counts bool) model.Answered {
	return model.Answered{
		Call: model.Call{
			EndpointID: e.ID, JobID: "job1", Claim: 1, At: Now, Kind: e.Kind, Model: e.Model, Template: "2",
			Question: "q", Answer: "a",
			Tries: 2, TokensIn: 100, TokensOut: 10, Cost: 45, Latency: 50 * time.Millisecond, Violations: 1,
			Addressing: 2, Disagree: true,
		},
		Answer: &model.Answer{Digest: digest, Text: `{"differs":"unreleased"}`, Counts: counts},
	}
}
