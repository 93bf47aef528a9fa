package people

import (
	"context"

	"sanad/internal/db/auditlog"
	"sanad/internal/db/reads"
	"sanad/internal/db/sqldb"
	"sanad/internal/domain"
	"sanad/internal/domain/access"
	"sanad/internal/words"
)

// mayChangeAccount returns nil if by may change the parts of a user's account that all tenants share: the
// user, the operator, and an admin of the user's only tenant may. If the user is not a member of by's tenant,
// it returns NotFound.
func mayChangeAccount(t *sqldb.Tx, by access.Actor, userID string) error {
	if by.ID == userID || by.ID == access.Operator {
		return userExists(t, userID)
	}
	if _, err := standingOf(t, by.Tenant, userID); err != nil {
		return err
	}
	var others int
	err := t.Row("SELECT count(*) FROM memberships WHERE user_id = ? AND tenant_id <> ?", []any{userID, by.Tenant},
		&others)
	if err == nil && others > 0 {
		err = &domain.Error{Kind: domain.Denied,
			Message: words.Msg("refused_person_other_tenants")}
	}
	return err
}

// NewPassword is a change of a password, and what stays valid after it.
type NewPassword struct {
	PHC        string
	KeepLogin  string // id of the login that does not end; "" if none
	KeepTokens bool   // of the API tokens that act as the user
}

// SetPassword changes a password, and ends the user's logins and API tokens but those that it says (rule SEC-2). Actors
// other than the user and the operator may do this only if by's tenant is the user's only one (Denied).
func (s *Store) SetPassword(ctx context.Context, by access.Actor, userID string, n NewPassword) error {
	c := &access.Change{Kind: access.ResetPassword, Object: userID, Password: n.PHC, KeepTokens: n.KeepTokens}
	return s.Change(ctx, "SetPassword", by, c, func(t *sqldb.Tx) error {
		if err := namePerson(t, c); err != nil {
			return err
		}
		return s.setPassword(t, by, userID, n)
	})
}

// namePerson sets the name of the person that a change is about.
func namePerson(t *sqldb.Tx, c *access.Change) error {
	return t.Row("SELECT name FROM users WHERE id = ?", []any{c.Object}, &c.Name)
}

func (s *Store) setPassword(t *sqldb.Tx, by access.Actor, userID string, n NewPassword) error {
	if err := mayChangeAccount(t, by, userID); err != nil {
		return err
	}
	if _, err := t.Exec("UPDATE users SET password = ? WHERE id = ?", n.PHC, userID); err != nil {
		return err
	}
	if err := endLogins(t, userID, n.KeepLogin); err != nil {
		return err
	}
	var details map[string]any
	if n.KeepTokens {
		details = map[string]any{"tokens_kept": true}
	}
	err := s.appendEverywhere(t, by, userID, userEvent("user.password_changed", userID, details),
		auditlog.Wrote("users", []any{userID}, "password"))
	if err != nil || n.KeepTokens {
		return err
	}
	return s.endTokens(t, by, userID)
}

// TOTPContext is the use for which a person's secret of one-time codes is sealed.
func TOTPContext(userID string) string { return "totp/" + userID }

// SetTOTP replaces the sealed secret (nil removes it) and the hashes of its recovery codes. The permissions are those
// of SetPassword. The newest time step that was used remains used.
func (s *Store) SetTOTP(ctx context.Context, by access.Actor, userID string, sealed []byte, recovery []string) error {
	c := &access.Change{Kind: access.RemoveCodes, Object: userID}
	return s.Change(ctx, "SetTOTP", by, c, func(t *sqldb.Tx) error {
		if err := namePerson(t, c); err != nil {
			return err
		}
		return s.setTOTP(t, by, userID, sealed, recovery)
	})
}

func (s *Store) setTOTP(t *sqldb.Tx, by access.Actor, userID string, sealed []byte, recovery []string) error {
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
	return s.appendEverywhere(t, by, userID,
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
func (s *Store) UseTOTPStep(ctx context.Context, userID string, step int64) (used bool, err error) {
	err = s.Write(ctx, sqldb.SingleRow, "UseTOTPStep", func(t *sqldb.Tx) error {
		n, err := t.Exec("UPDATE users SET totp_step = ? WHERE id = ? AND totp_step < ?", step, userID, step)
		used = n == 1
		return err
	})
	return used && err == nil, err
}

// UseRecoveryCode deletes a recovery code and logs it ("login.recovery_used"); false if none has this hash. by
// is the user.
func (s *Store) UseRecoveryCode(ctx context.Context, by access.Actor, userID, hash string) (used bool, err error) {
	err = s.Write(ctx, sqldb.EveryTenant, "UseRecoveryCode", func(t *sqldb.Tx) error {
		n, err := t.Exec("DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?", userID, hash)
		if err != nil || n == 0 {
			return err
		}
		used = true
		return s.appendEverywhere(t, by, userID, userEvent("login.recovery_used", userID, nil),
			auditlog.Deleted("recovery_codes", userID, hash))
	})
	return used && err == nil, err
}

// appendEverywhere logs a change of an account in each tenant of the user, or in the system's log if the user has no
// tenant. records are the rows of the account that changed; what somebody without a tenant has is recorded when they
// join one.
func (s *Store) appendEverywhere(t *sqldb.Tx, by access.Actor, userID string, ev auditlog.Event,
	records ...auditlog.RecordRef) error {
	return s.appendInEach(t, by, userID, func(string) (auditlog.Event, error) { return ev, nil }, records...)
}

// appendInEach is appendEverywhere with an event for each tenant.
func (s *Store) appendInEach(t *sqldb.Tx, by access.Actor, userID string,
	eventIn func(tenant string) (auditlog.Event, error),
	records ...auditlog.RecordRef) error {
	actors, err := sqldb.Collect(t, "SELECT tenant_id, role FROM memberships WHERE user_id = ? ORDER BY tenant_id LIMIT ?",
		[]any{userID, auditlog.MaxTenants},
		func(r sqldb.Scanner, a *access.Actor) error { return r.Scan(&a.Tenant, &a.Role) })
	if err != nil {
		return err
	}
	if actors == nil {
		actors = []access.Actor{{Tenant: reads.SystemTenant}}
	}
	for _, in := range actors {
		as := by
		as.Tenant = in.Tenant
		if by.ID == userID {
			as.Role = in.Role // its role in that tenant
		}
		if in.Tenant != reads.SystemTenant {
			auditlog.Record(t, in.Tenant, records...)
		}
		ev, err := eventIn(in.Tenant)
		if err != nil {
			return err
		}
		if err := s.AppendEvent(t, as, ev); err != nil {
			return err
		}
	}
	return nil
}
