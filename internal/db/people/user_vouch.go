package people

import (
	"context"

	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// Vouch records the operator's word that a member acts for themselves alone: who set their credentials until now counts
// no longer behind them (rule P-22). reason says how that is known.
func (store *Store) Vouch(ctx context.Context, by access.Actor, userID, reason string) error {
	if by.ID != access.Operator {
		return &domain.Error{Kind: domain.Denied, Message: words.Msg("refused_only_operator_vouches")}
	}
	if reason == "" {
		return domain.Refuse(domain.Invalid, "reason", "refused_say_how_know")
	}
	return store.Write(ctx, sqldb.OfTenant(by.Tenant), "Vouch", func(t *sqldb.Tx) error {
		if _, err := standingOf(t, by.Tenant, userID); err != nil {
			return err
		}
		return store.AppendEvent(t, by, userEvent(reads.Vouched, userID, map[string]any{"reason": reason}))
	})
}
