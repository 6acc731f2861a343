-- The pinned questions of an identity.
select pinned
from advisor_preference
where identity = @identity
