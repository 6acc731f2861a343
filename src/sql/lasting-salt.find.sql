-- The salt of visitors who consented to be known on later days.
select value as salt
from installation
where name = 'lasting_salt'
