package importers

import (
	"strings"

	"sanad/internal/domain"
	"sanad/internal/domain/ledger"
	"sanad/internal/domain/text"
)

// RevisedAnswer is a revised answer for a session that exists: its Markdown, and its claims, which are split from it if
// they are left out.
type RevisedAnswer struct {
	Answer string         `json:"answer" limit:"1000000" need:"noun_revised"`
	Claims []RevisedClaim `json:"claims" limit:"100000"`
}

// RevisedClaim is a claim of it, as in sanad.session/v1 (rule F-3) without matches.
type RevisedClaim = claimWire

// Read returns the claims with their places in the answer, which it trims to lines of LF. Keys are those that the
// caller gave, else "". Errors are *domain.Error with the Path "answer" or "claims[2].claim_text".
func (in *RevisedAnswer) Read(opt Options) ([]ledger.Claim, []domain.Warning, error) {
	b := newBuilder(opt.withDefaults())
	in.Answer = lines(in.Answer)
	if n := text.Len(in.Answer); n > b.opt.Answer {
		return nil, nil, domain.Refuse(domain.TooLarge, "answer", "json_long", "N", b.opt.Answer)
	}
	if strings.TrimSpace(in.Answer) == "" {
		return nil, nil, domain.Refuse(domain.Invalid, "answer", "refused_revised_missing")
	}
	b.s.Answer = in.Answer
	var list []ownClaim
	for i := range in.Claims {
		list = append(list, ownClaim{claimWire: in.Claims[i]})
	}
	if len(list) > b.opt.Claims {
		return nil, nil, domain.Refuse(domain.TooLarge, "claims", "refused_in_claims", "N", b.opt.Claims)
	}
	if err := unprefixed("session.", b.ownClaims(list)); err != nil {
		return nil, nil, err
	}
	for i := range b.s.Claims {
		if i >= len(list) || strings.TrimSpace(list[i].ID) == "" {
			b.s.Claims[i].Key = ""
		}
	}
	return b.s.Claims, b.finished(), nil
}
