package model_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
)

func good() model.Endpoint {
	return model.Endpoint{Name: "Small", Kind: model.OpenAI, URL: "https://models.example/v1", Model: "m", Parallel: 8,
		Timeout: time.Minute}
}

func TestCheck(t *testing.T) {
	for path, breaks := range map[string][]func(e *model.Endpoint){
		"": {
			func(*model.Endpoint) {}, func(e *model.Endpoint) { e.Name = "  نموذج صغير  " },
			func(e *model.Endpoint) { e.Kind, e.URL, e.Model = model.NLI, "https://x.example/predict/", "" },
			func(e *model.Endpoint) { e.URL = "http://127.0.0.1:11434/v1?api-version=1" },
			func(e *model.Endpoint) { e.Price, e.Run.Cost = model.Price{In: 1}, 5 },
		},
		"name": {
			func(e *model.Endpoint) { e.Name = " " }, func(e *model.Endpoint) { e.Name = "a\nb" },
			func(e *model.Endpoint) { e.Name = "Lexical" }, func(e *model.Endpoint) { e.Name = strings.Repeat("x", 81) },
			func(e *model.Endpoint) { e.Name = "\xff" },
		},
		"kind": {func(e *model.Endpoint) { e.Kind = "other" }},
		"url": {
			func(e *model.Endpoint) { e.URL = "models.example" }, func(e *model.Endpoint) { e.URL = "ftp://x" },
			func(e *model.Endpoint) { e.URL = "https://a:b@x/" }, func(e *model.Endpoint) { e.URL = "https://x/#f" },
			func(e *model.Endpoint) { e.URL = "https://مثال.example/" }, func(e *model.Endpoint) { e.URL = "https://" + strings.Repeat("x", 2000) },
			func(e *model.Endpoint) { e.Kind = model.NLI }, func(e *model.Endpoint) { e.URL = "https://x/a b" },
		},
		"model":              {func(e *model.Endpoint) { e.Model = "" }, func(e *model.Endpoint) { e.Model = "a\x00" }},
		"trust_supported":    {func(e *model.Endpoint) { e.Trust.Supported = 1.1 }, func(e *model.Endpoint) { e.Trust.Supported = math.NaN() }},
		"trust_contradicted": {func(e *model.Endpoint) { e.Trust.Contradicted = -1 }},
		"price_in":           {func(e *model.Endpoint) { e.Price.In = -1 }, func(e *model.Endpoint) { e.Price.In = 1 << 60 }},
		"run_tokens":         {func(e *model.Endpoint) { e.Run.Tokens = -1 }},
		"run_cost":           {func(e *model.Endpoint) { e.Run.Cost = 5 }},
		"day_cost":           {func(e *model.Endpoint) { e.Day.Cost = 5 }},
		"parallel":           {func(e *model.Endpoint) { e.Parallel = 0 }, func(e *model.Endpoint) { e.Parallel = 65 }},
		"timeout":            {func(e *model.Endpoint) { e.Timeout = 0 }, func(e *model.Endpoint) { e.Timeout = time.Hour }},
	} {
		for i, change := range breaks {
			e := good()
			change(&e)
			err := e.Check()
			if path == "" {
				require.NoError(t, err, i)
				continue
			}
			var ours *domain.Error
			require.ErrorAs(t, err, &ours, "%s %d", path, i)
			require.Equal(t, path, ours.Path, i)
			require.Equal(t, domain.Invalid, ours.Kind)
		}
	}
	require.NoError(t, model.CheckKey(""))
	require.NoError(t, model.CheckKey("sk-1"))
	for _, key := range []string{"a b", "a\n", "\ufeffsk", strings.Repeat("k", 5000)} {
		require.Error(t, model.CheckKey(key))
	}
}

func TestBudget(t *testing.T) {
	price := model.Price{In: 250_000, Out: 2_000_000} // 0.25 and 2 for a million tokens
	require.EqualValues(t, 25+20, price.Cost(100, 10))
	require.EqualValues(t, 1, model.Price{In: 1}.Cost(1, 0), "rounded up: nothing is free by rounding")
	var s model.Spending
	s.Add(&model.Call{TokensIn: 100, TokensOut: 10, Cost: 45})
	s.Add(&model.Call{Fault: "timeout"})
	require.Equal(t, model.Spending{Calls: 2, Failed: 1, TokensIn: 100, TokensOut: 10, Cost: 45}, s)
	require.True(t, model.Budget{}.Fits(s, math.MaxInt32, math.MaxInt32), "no bound")
	require.True(t, model.Budget{Tokens: 120}.Fits(s, 10, 0))
	require.False(t, model.Budget{Tokens: 120}.Fits(s, 11, 0))
	require.True(t, model.Budget{Cost: 50}.Fits(s, 1000, 5))
	require.False(t, model.Budget{Cost: 50}.Fits(s, 0, 6))
}

// TestMeasuredOver: what was measured takes the place of what was set, also if none was right; too few reviews say
// nothing.
func TestMeasuredOver(t *testing.T) {
	set := model.Trust{Supported: 0.95, Contradicted: 0.9}
	few := model.MeasuredShare{Right: 9, Reviews: 9, Missing: 1}
	_, err := (&model.Measured{Supported: few, Contradicted: model.MeasuredShare{Missing: 10}}).Over(set)
	require.Equal(t, domain.Conflict, domain.KindOf(err))
	for _, x := range []struct {
		supported model.MeasuredShare
		want      float64
	}{{model.MeasuredShare{Right: 60, Reviews: 60, Share: 0.939}, 0.939}, {model.MeasuredShare{Reviews: 40}, 0}} {
		over, err := (&model.Measured{Supported: x.supported, Contradicted: few}).Over(set)
		require.NoError(t, err)
		require.Equal(t, model.Trust{Supported: x.want, Contradicted: 0.9}, over)
	}
}

// TestOddNumbersAreNoHosts: what a resolver takes for an address is written so that it can be checked when it is
// entered.
func TestOddNumbersAreNoHosts(t *testing.T) {
	for host, fine := range map[string]bool{
		"127.1": false, "2130706433": false, "0x7f000001": false, "0x7f.1": false, "0177.0.0.1": false, "127.0.0.1.": false,
		"models.example": true, "192.0.2.1": true, "[2001:db8::1]": true, "gpu7": true, "0x.example": true, "node-1": true,
	} {
		e := model.Endpoint{Name: "N", Kind: model.OpenAI, URL: "https://" + host + ":8443/v1", Model: "m", Parallel: 1, Timeout: model.MinTimeout}
		err := e.Check()
		require.Equal(t, fine, err == nil, "%s: %v", host, err)
		if !fine {
			require.ErrorContains(t, err, "in full")
		}
	}
}
