package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// TOTPContext is the use for which a person's secret of one-time codes is sealed.
func TOTPContext(userID string) string { return "totp/" + userID }

// SetTOTP replaces the sealed secret (nil removes it) and the hashes of its recovery codes. The permissions are those
// of SetPassword. The newest time step that was used remains used.
func (store *Store) SetTOTP(ctx context.Context, by access.Actor, userID string, sealed []byte,
	recovery []string) error {
	c := &access.Change{Kind: access.RemoveCodes, Object: userID}
	return store.Change(ctx, "SetTOTP", by, c, func(t *sqldb.Tx) error {
		if err := namePerson(t, c); err != nil {
			return err
		}
		return store.setTOTP(t, by, userID, sealed, recovery)
	})
}

func (store *Store) setTOTP(t *sqldb.Tx, by access.Actor, userID string, sealed []byte, recovery []string) error {
	if err := mayChangeAccount(t, by, userID); err != nil {
		return err
	}
	if sealed != nil && by.ID != userID && by.ID != access.Operator {
		return domain.Refuse(domain.Denied, "", "refused_own_codes")
	}
	if sealed == nil && by.ID == userID {
		if err := keepsFactor(t, userID); err != nil {
			return err
		}
	}
	if _, err := t.Exec("UPDATE users SET totp = ? WHERE id = ?", sealed, userID); err != nil {
		return err
	}
	records, err := replaceRecovery(t, userID, recovery)
	if err != nil {
		return err
	}
	return store.appendEverywhere(t, by, userID,
		userEvent("user.totp_changed", userID, map[string]any{"on": sealed != nil}),
		append(records, auditlog.Wrote("users", []any{userID}, "totp"))...)
}

// replaceRecovery replaces a user's recovery codes, and returns what to record of it.
func replaceRecovery(t *sqldb.Tx, userID string, hashes []string) (records []auditlog.RecordRef, err error) {
	old, err := sqldb.Collect(t, "SELECT hash FROM recovery_codes WHERE user_id = ? ORDER BY hash", []any{userID},
		sqldb.ScanText)
	if err != nil {
		return nil, err
	}
	if _, err := t.Exec("DELETE FROM recovery_codes WHERE user_id = ?", userID); err != nil {
		return nil, err
	}
	for _, hash := range old {
		records = append(records, auditlog.Deleted("recovery_codes", userID, hash))
	}
	for _, hash := range hashes {
		if _, err := t.Exec("INSERT INTO recovery_codes (user_id, hash) VALUES (?, ?)", userID, hash); err != nil {
			return nil, err
		}
		records = append(records, auditlog.Wrote("recovery_codes", []any{userID, hash}))
	}
	return records, nil
}

// UseTOTPStep records that a code of this time step was used; false if this or a later one was used before.
func (store *Store) UseTOTPStep(ctx context.Context, userID string, step int64) (used bool, err error) {
	err = store.Write(ctx, sqldb.SingleRow, "UseTOTPStep", func(t *sqldb.Tx) error {
		n, err := t.Exec("UPDATE users SET totp_step = ? WHERE id = ? AND totp_step < ?", step, userID, step)
		used = n == 1
		return err
	})
	return used && err == nil, err
}

// UseRecoveryCode deletes a recovery code and logs it ("login.recovery_used"); false if none has this hash. by
// is the user.
func (store *Store) UseRecoveryCode(ctx context.Context, by access.Actor, userID, hash string) (used bool, err error) {
	err = store.Write(ctx, sqldb.EveryTenant, "UseRecoveryCode", func(t *sqldb.Tx) error {
		n, err := t.Exec("DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?", userID, hash)
		if err != nil || n == 0 {
			return err
		}
		used = true
		return store.appendEverywhere(t, by, userID, userEvent("login.recovery_used", userID, nil),
			auditlog.Deleted("recovery_codes", userID, hash))
	})
	return used && err == nil, err
}
