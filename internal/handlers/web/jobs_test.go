package web_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sanad/internal/domain"
	"sanad/internal/handlers/web"
)

// A job of a form names the part in which its fault is as the request has it.
func TestFaultOfAForm(t *testing.T) {
	job := domain.Job{Kind: domain.JobForm, State: domain.JobFailed, Fault: &domain.JobFault{Path: "files[1]", Msg: "m", Kind: "invalid"}}
	require.Equal(t, "documents[1]", web.NewJob(job).Error.Path)
	job.Kind = domain.JobFile
	require.Equal(t, "files[1]", web.NewJob(job).Error.Path)
}
