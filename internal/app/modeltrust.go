package app

import (
	"context"
	"strconv"

	"sanad/internal/db"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/model"
)

// Where the trust in a word came from, as the parameters of a run say it (rule J-12). They are stored.
const (
	trustNone     = "none"               // the word was not measured
	trustTyped    = "typed"              // an administrator entered the share
	trustMeasured = ledger.TrustMeasured // it was taken over from the tenant's own reviews
)

// trustParameters say what a run counts the words of an endpoint, and what that stands on.
func trustParameters(ctx context.Context, store *db.Store, tenant string, e *model.Endpoint) (map[string]string, error) {
	supported, contradicted, err := store.ModelTrustOrigin(ctx, tenant, e)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	say := func(word string, share float64, reviews int) {
		out[word] = strconv.FormatFloat(share, 'f', -1, 64)
		switch {
		case reviews > 0:
			out[word+"_source"], out[word+"_reviews"] = trustMeasured, strconv.Itoa(reviews)
		case share == 0:
			out[word+"_source"] = trustNone
		default:
			out[word+"_source"] = trustTyped
		}
	}
	say("trust_supported", e.Trust.Supported, supported)
	say("trust_contradicted", e.Trust.Contradicted, contradicted)
	return out, nil
}
