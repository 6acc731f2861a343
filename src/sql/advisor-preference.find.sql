-- What an identity has pinned.
select pinned
from advisor_preference
where identity = @identity
