package demo

import (
	"encoding/json"

	"sanad/internal/domain/ledger"
)

// Past is a session of the weeks before the demo was made, with its reviews, so that trends have something to show. Its
// matches are given.
type Past struct {
	WeeksAgo  int             `json:"weeks_ago"`
	DaysLater int             `json:"days_later"` // in that week
	Session   json.RawMessage `json:"session"`    // sanad.session/v1
	Overrides []Override      `json:"overrides"`
	Waiting   int             `json:"waiting"` // the last claims that nobody has reviewed; all others are confirmed
}

// Override is a verdict of a person that differs from the given one.
type Override struct {
	Claim   int            `json:"claim"` // its number
	Verdict ledger.Verdict `json:"verdict"`
	Reason  string         `json:"reason"`
}

// HistoryWeeks is how many weeks before the demo its history begins.
const HistoryWeeks = 11

// History returns the sessions of the weeks before, the oldest first.
func History() (out []Past, err error) {
	data, err := FS.ReadFile("history.json")
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}
