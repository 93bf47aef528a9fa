package sqldb

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEngineOfAWrongAddress(t *testing.T) {
	for name, address := range map[string]string{"another database": "mysql://somebody@localhost/sanad",
		"no number as port": "postgres://somebody@localhost:door/sanad"} {
		t.Run(name, func(t *testing.T) {
			e, err := EngineOf(address, "", &Schema{})
			require.Error(t, err)
			if e != nil {
				t.Error("callers compare it with nil")
			}
		})
	}
}
