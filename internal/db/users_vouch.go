package db

import (
	"context"

	"sanad/internal/domain"
)

// Vouch records the operator's word that a member acts for themselves alone: who set their credentials until now counts
// no longer behind them (rule P-22). reason says how that is known.
func (s *Store) Vouch(ctx context.Context, by domain.Actor, userID, reason string) error {
	if by.ID != domain.Operator {
		return &domain.Error{Kind: domain.Denied, Msg: "Only the operator vouches for people, on the command line."}
	}
	if reason == "" {
		return domain.Invalidf("reason", "Say how you know that this person alone uses the account.")
	}
	return s.write(ctx, ofTenant(by.Tenant), "Vouch", func(t *tx) error {
		if _, err := standingOf(t, by.Tenant, userID); err != nil {
			return err
		}
		return s.appendEvent(t, by, userEvent(vouched, userID, map[string]any{"reason": reason}))
	})
}
