package access_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/domain/access"
)

// Every refusal about a request names its message, which is in both languages.
func TestRefusalsOfChangesAreWorded(t *testing.T) {
	r := &access.Request{AskedBy: "a"}
	nobody, asker := access.Actor{}, access.Actor{ID: "a", Human: true, Role: access.Admin}
	other := access.Actor{ID: "b", Human: true, Role: access.Admin}
	named := &access.Request{AskedBy: "a", Change: access.Change{Kind: access.NameDeputy, Object: "c",
		Deputy: &access.DeputyChange{ID: "b"}}}
	away := access.Actor{ID: "c", Human: true, Role: access.Admin}
	require.Error(t, access.MayConfirm(named, away, access.Makers{}))
	require.NoError(t, access.MayConfirm(named, access.Actor{ID: "d", Human: true, Role: access.Admin}, access.Makers{}))
	for word, err := range map[string]error{
		"change_confirm_person": access.MayConfirm(r, nobody, access.Makers{}),
		"change_own":            access.MayConfirm(r, asker, access.Makers{}),
		"change_deputy":         access.MayConfirm(named, other, access.Makers{}),
		"change_refuse_person":  access.MayRefuse(r, nobody), "change_refuse_own": access.MayRefuse(r, asker),
		"change_withdraw": access.MayWithdraw(r, other),
	} {
		var e *domain.Error
		require.ErrorAs(t, err, &e, word)
		require.Contains(t, []string{"fault_" + word, "refused_" + word}, e.Message.ID)
	}
}
