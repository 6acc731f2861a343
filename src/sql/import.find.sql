-- The progress of an import.
select lines, finished
from import_progress
where fingerprint = @fingerprint
