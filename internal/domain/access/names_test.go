package access_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain/access"
)

func TestLoginNamesOfOneTenant(t *testing.T) {
	for name, tt := range map[string]struct{ scope, typed, want string }{
		"a name":                  {"health", "khalid", "khalid@health"},
		"the whole name":          {"health", "khalid@health", "khalid@health"},
		"of a tenant with a dash": {"water-1", "k.m_a+b-c", "k.m_a+b-c@water-1"},
		"another tenant's":        {"health", "khalid@water", ""},
		"an address":              {"health", "khalid@example.test", ""},
		"two":                     {"health", "khalid@health@health", ""},
		"nothing":                 {"health", "", ""},
		"only the end":            {"health", "@health", ""},
		"too long":                {"health", strings.Repeat("a", 94), ""},
		"as long as it may be":    {"health", strings.Repeat("a", 93), strings.Repeat("a", 93) + "@health"},
		"not plain":               {"health", "خالد", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := access.LoginIn(tt.scope, tt.typed)
			require.Equal(t, tt.want == "", err != nil, err)
			require.Equal(t, tt.want, got)
			if got != "" {
				require.True(t, access.OfOneTenant(got))
				require.Error(t, access.CheckGlobalLogin(got))
			}
		})
	}
	for _, login := range []string{"khalid", "khalid@example.test", "khalid@mail.example", "a@b@c.test", "k@10.0.0.1x"} {
		require.NoError(t, access.CheckGlobalLogin(login), login)
	}
}
