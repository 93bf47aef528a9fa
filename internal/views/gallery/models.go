package gallery

import (
	"time"

	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
	modelsviews "sanad/internal/views/models"
	"sanad/internal/views/ui"
)

// galleryModels is the administration of endpoints that judge: lists, the form, and one endpoint in each of its states.
func galleryModels(c *ui.Chrome) []Sample {
	const example = "Claim C1: Annual leave is 15 days."
	endpoint := func(change func(*model.Endpoint)) model.Endpoint {
		e := model.Endpoint{
			ID: "m", Name: "Qwen on our gateway", Kind: model.OpenAI, URL: "https://models.example/v1", Model: "qwen3-32b", HasKey: true,
			Price: model.Price{In: 2_500_000, Out: 10_000_000}, Day: model.Budget{Tokens: 5_000_000, Cost: 20_000_000}, Parallel: 8,
			Timeout: time.Minute, Redact: true, Enabled: true, CreatedAt: galleryDay, CreatedBy: "a",
		}
		if change != nil {
			change(&e)
		}
		return e
	}
	off := func(e *model.Endpoint) { e.Enabled, e.HasKey, e.Redact = false, false, false }
	list := func(state string, rows ...model.Endpoint) Sample {
		return Sample{State: state, Body: modelsviews.Listed(modelsviews.NewListPage(*c, rows, modelsviews.NewForm(), example))}
	}
	form := func(state string, change func(*modelsviews.Form)) Sample {
		f := modelsviews.NewForm()
		change(&f)
		return Sample{State: state, Body: modelsviews.AddForm(modelsviews.NewListPage(*c, nil, f, example))}
	}
	one := func(state string, in modelsviews.PageInput, change func(*model.Endpoint)) Sample {
		in.Endpoint, in.By = endpoint(change), "Noura Al-Harbi"
		in.Form = modelsviews.FormOf(&in.Endpoint)
		in.CanTry = in.CanTry || in.Tried != nil
		return Sample{State: state, Body: modelsviews.About(modelsviews.NewPage(*c, in))}
	}
	refused := func(field, word string, args ...any) func(*modelsviews.Form) {
		return func(f *modelsviews.Form) {
			f.Name, f.URL, f.Model, f.RunTokens = "نموذج البوابة", "https://models.example/v1", hugeWord, "many"
			f.Fault = &ui.FormFault{Field: field, Word: word, Args: args}
		}
	}
	enough := model.Measured{Supported: model.MeasuredShare{Right: 58, Reviews: 60, Share: 0.886},
		Contradicted: model.MeasuredShare{Right: 31, Reviews: 40, Share: 0.625}}
	few := model.Measured{Supported: model.MeasuredShare{Right: 9, Reviews: 9, Missing: 1}, Contradicted: model.MeasuredShare{Missing: 10}}
	trust := func(state string, in modelsviews.TrustInput) Sample {
		in.Words.Add(ledger.Supported, ledger.Supported, in.Measured.Supported.Right)
		in.Words.Add(ledger.Supported, ledger.Weak, in.Measured.Supported.Reviews-in.Measured.Supported.Right)
		in.Words.Add(ledger.Contradicted, ledger.Contradicted, in.Measured.Contradicted.Right)
		in.Words.Add(ledger.Contradicted, ledger.Weak, in.Measured.Contradicted.Reviews-in.Measured.Contradicted.Right)
		e := endpoint(nil)
		return Sample{State: state, Body: modelsviews.TrustSection(modelsviews.NewPage(*c, modelsviews.PageInput{
			Endpoint: e, Form: modelsviews.FormOf(&e), Trust: &in}))}
	}
	rows := []model.Endpoint{endpoint(nil), endpoint(func(e *model.Endpoint) { e.Name, e.Trust.Supported = "متجر النماذج", 0.9 })}
	trusted := modelsviews.NewListPage(*c, rows, modelsviews.NewForm(), example)
	trusted.AddTrust(rows, []model.Measured{few, enough})
	answered := model.Tried{Model: "qwen3-32b", Took: 1400 * time.Millisecond, TokensIn: 812, TokensOut: 40}
	odd := answered
	odd.Note = "other"
	return []Sample{
		list("models, none"),
		list("models, one", endpoint(nil)),
		list("models, enabled, disabled and huge", endpoint(nil), endpoint(off), endpoint(func(e *model.Endpoint) {
			e.Name, e.Kind, e.Model = hugeWord, model.NLI, hugeWord
		}), endpoint(func(e *model.Endpoint) { e.Name, e.Kind, e.Model = "متجهات البحث", model.Embeddings, "" })),
		{State: "models, with trust", Body: modelsviews.Listed(trusted)},
		trust("trust, nothing reviewed", modelsviews.TrustInput{Measured: model.Measured{
			Supported: model.MeasuredShare{Missing: 10}, Contradicted: model.MeasuredShare{Missing: 10}}}),
		trust("trust, too few reviews", modelsviews.TrustInput{Measured: few, Sessions: 3}),
		trust("trust, measured, typed otherwise", modelsviews.TrustInput{Measured: enough, Set: model.Trust{Supported: 0.95, Contradicted: 0.9},
			Sessions: 40, Blind: 12, Objected: 2, More: true}),
		trust("trust, taken over", modelsviews.TrustInput{Measured: enough, Set: model.Trust{Supported: 0.886, Contradicted: 0.625},
			Origin: [2]int{60, 40}, Sessions: 40}),
		form("models, the form, password asked for first", func(f *modelsviews.Form) { f.Confirm = "/confirm" }),
		form("models, the form, filled in again without its key", func(f *modelsviews.Form) {
			f.Name, f.URL, f.Again, f.KeyLost, f.Left = rtlText, "https://models.example/v1", true, true, true
		}),
		form("models, the form, refused", refused("", "model_conflict")),
		form("models, the form, kind refused", refused("kind", "model_kind")),
		form("models, the form, a secret in the address", refused("url", "model_url_secret", "Name", "api-key")),
		form("models, the form, a private address", refused("url", "model_url_private", "Network", "10.1.2.3")),
		form("models, the form, a number refused", refused("run_tokens", "model_run_tokens")),
		form("models, the form, a folded field refused", refused("timeout", "model_timeout")),
		one("model, enabled, untested", modelsviews.PageInput{CanTry: true}, nil),
		one("model, disabled, without a key, tests not set up", modelsviews.PageInput{}, off),
		one("model, tested", modelsviews.PageInput{Tried: &answered}, nil),
		one("model, tested, it does not see what is plain", modelsviews.PageInput{Tried: &odd}, nil),
		one("model, disabled, tested", modelsviews.PageInput{Tried: &answered}, off),
		one("model, the test failed", modelsviews.PageInput{Tried: &model.Tried{Fault: "status 401", Took: time.Second}}, nil),
		one("model, the test failed, disabled", modelsviews.PageInput{Tried: &model.Tried{Fault: "certificate"}}, off),
		one("model, too many tests", modelsviews.PageInput{ActionWord: "model_tries", CanTry: true}, nil),
		one("model, changed meanwhile", modelsviews.PageInput{ActionWord: "model_conflict", CanTry: true}, nil),
		one("model, the budget used up", modelsviews.PageInput{CanTry: true,
			Today: model.Spending{Calls: 4000, Failed: 3, TokensIn: 4_900_000, TokensOut: 99_990, Cost: 13_250_000}}, nil),
		one("model, huge texts", modelsviews.PageInput{CanTry: true}, func(e *model.Endpoint) {
			e.Name, e.Model, e.URL = hugeText, hugeWord, "https://models.example/"+hugeWord
		}),
	}
}
