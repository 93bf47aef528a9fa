package models

import (
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sanad/internal/domain"
	"sanad/internal/domain/model"
	"sanad/internal/handlers/web"
	modelsviews "sanad/internal/views/models"
)

// typedForm reads the form. The key is not part of it: it is never shown again.
func typedForm(v url.Values) (f modelsviews.Form, key string) {
	get := func(name string) string { return strings.TrimSpace(v.Get(name)) }
	return modelsviews.Form{Name: get("name"), Kind: get("kind"), URL: get("url"), Model: get("model"),
		TrustSupported: get("trust_supported"), TrustContradicted: get("trust_contradicted"), PriceIn: get("price_in"),
		PriceOut: get("price_out"), RunTokens: get("run_tokens"), RunCost: get("run_cost"), DayTokens: get("day_tokens"),
		DayCost: get("day_cost"), Parallel: get("parallel"), Timeout: get("timeout"), Redact: get("redact") == "1",
		NoKey: get("no_key") == "1"}, get("key")
}

// typedAgain is the form as it was typed before the password was asked for, at the revision that it was made from.
func typedAgain(typed web.TypedForm) modelsviews.Form {
	f, _ := typedForm(typed.Values)
	f.Again, f.KeyLost, f.Left, f.Revision = true, typed.Secret, typed.Left, typed.Get("revision")
	return f
}

// apply puts what was typed into an endpoint; the first field that is no number is refused.
func apply(f *modelsviews.Form, e *model.Endpoint) error {
	r := reader{}
	e.Name, e.Kind, e.URL, e.Model, e.Redact = f.Name, model.Kind(f.Kind), typedAddress(f.URL, e.URL), f.Model, f.Redact
	e.Trust = model.Trust{Supported: r.share("trust_supported", f.TrustSupported),
		Contradicted: r.share("trust_contradicted", f.TrustContradicted)}
	e.Price = model.Price{In: r.amount("price_in", f.PriceIn), Out: r.amount("price_out", f.PriceOut)}
	e.Run = model.Budget{Tokens: r.count("run_tokens", f.RunTokens), Cost: r.amount("run_cost", f.RunCost)}
	e.Day = model.Budget{Tokens: r.count("day_tokens", f.DayTokens), Cost: r.amount("day_cost", f.DayCost)}
	e.Parallel = int(r.count("parallel", f.Parallel))
	if f.Parallel == "" {
		e.Parallel = model.DefaultParallel
	}
	e.Timeout = time.Duration(r.share("timeout", f.Timeout) * float64(time.Second))
	if f.Timeout == "" {
		e.Timeout = model.DefaultTimeout
	}
	return r.err
}

// typedAddress is the address that was typed, or the stored one if that is what was typed, as it is shown.
func typedAddress(typed, stored string) string {
	if stored != "" && typed == model.Shown(stored) {
		return stored
	}
	return typed
}

// reader reads numbers and remembers the first that is none.
type reader struct{ err error }

func (r *reader) refuse(field string) {
	if r.err == nil {
		r.err = domain.Refuse(domain.Invalid, field, "refused_number_such_100")
	}
}

// digits writes Arabic digits and separators as ASCII ones.
var digits = strings.NewReplacer("٠", "0", "١", "1", "٢", "2", "٣", "3", "٤", "4", "٥", "5", "٦", "6", "٧", "7", "٨", "8", "٩", "9",
	"٫", ".", "٬", "")

func (r *reader) share(field, typed string) float64 {
	if typed == "" {
		return 0
	}
	v, err := strconv.ParseFloat(digits.Replace(typed), 64)
	if err != nil || math.IsNaN(v) || v < 0 || v > maxTyped {
		r.refuse(field)
		return 0
	}
	return v
}

// maxTyped is above every bound of an endpoint, and its millionths fit an int64.
const maxTyped = 1e12

func (r *reader) count(field, typed string) int64 {
	v := r.share(field, typed)
	if v != math.Trunc(v) {
		r.refuse(field)
	}
	return int64(v)
}

// amount reads a decimal number as millionths.
func (r *reader) amount(field, typed string) int64 {
	return millionths(r.share(field, typed))
}

func millionths(v float64) int64 { return int64(math.Round(v * 1e6)) }
